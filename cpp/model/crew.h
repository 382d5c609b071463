// Threads that wait for work. The shards of a training batch are handed to them many hundred times a second,
// where starting a thread for each would take as long as the work.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace dicezero {

class Crew {
 public:
  // The one of the process; never destroyed, since its threads wait until the very end.
  static Crew& shared() {
    static Crew& crew = *new Crew;
    return crew;
  }

  // Threads that work at the most, the caller's among them.
  void set_threads(int threads) {
    const std::lock_guard lock(mutex_);
    threads_ = threads;
    for (; started_ + 1 < threads_; ++started_) std::thread([this, me = started_ + 1] { wait(me); }).detach();
  }

  // Calls work(i) once for every i in 0..count-1, in any order and on any thread, and returns when all are
  // done. The exception of the smallest i is passed on. While somebody else's work is under way the caller
  // does its own alone, and so it does in a forked process, which has no other thread.
  void run(int count, const std::function<void(int)>& work) {
    Job job{count, &work};
    {
      std::unique_lock lock(mutex_);
      const bool shared = !job_ && count > 1;
      if (shared) {
        job_ = &job;
        wake_.notify_all();
      }
      while (take(job, lock)) {
      }
      if (shared) {
        job_ = nullptr;  // nothing is left to take
        done_.wait(lock, [&] { return job.done == job.count; });
      }
    }
    if (job.error) std::rethrow_exception(job.error);
  }

 private:
  struct Job {
    int count;
    const std::function<void(int)>* work;
    int next = 0, done = 0, failed = 0;
    std::exception_ptr error = nullptr;
  };

  // Does the next piece of the job, without the lock; false where none is left.
  bool take(Job& job, std::unique_lock<std::mutex>& lock) {
    if (job.next == job.count) return false;
    const int i = job.next++;
    lock.unlock();
    std::exception_ptr error;
    try {
      (*job.work)(i);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error && (!job.error || i < job.failed)) {
      job.error = error;
      job.failed = i;
    }
    ++job.done;
    return true;
  }

  void wait(int me) {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return me < threads_ && job_ && job_->next < job_->count; });
      Job& job = *job_;  // stands until all that was taken of it is done
      while (take(job, lock)) {
      }
      done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  Job* job_ = nullptr;
  int threads_ = 1, started_ = 0;
};

}  // namespace dicezero
