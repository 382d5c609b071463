// One caller at a time for an object that changes while it works.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

namespace dicezero {

class Busy {
 public:
  // Held while the object works; a second one, from another thread or from a callback, is refused.
  class Turn {
   public:
    Turn(Busy& busy, const char* what) : busy_(busy) {
      if (busy_.taken_.exchange(true)) {
        throw std::runtime_error(std::string("this ") + what +
                                 " is at work already, in another thread or in a function it called; give "
                                 "each its own");
      }
    }
    ~Turn() { busy_.taken_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Busy& busy_;
  };

 private:
  std::atomic<bool> taken_ = false;
};

}  // namespace dicezero
