// Learners that play and learn at once; dicezero.model.dense_online is their public face.
#include <nanobind/stl/unique_ptr.h>

#include <cmath>

#include "bindings/busy.h"
#include "bindings/interrupt.h"
#include "bindings/module.h"
#include "bindings/monitor.h"
#include "bindings/network.h"
#include "bindings/ops.h"
#include "learn/td_learner.h"
#include "rules/memory.h"

namespace dicezero {
namespace {

using Vector = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A learner and who holds it: one caller at a time.
struct PyTdLearner {
  std::unique_ptr<TdLearner> learner;
  Busy busy;
};

void check(bool fine, const char* what) {
  if (!fine) throw std::invalid_argument(what);
}

// The public face checks them too, by the names they have there.
void check_learner(const JudgeShape& shape, const TdSettings& s, int threads) {
  for (const int width : shape.widths) check(width >= 1 && width <= 1 << 16, "a width is not in 1..65536");
  check(shape.phases >= 1 && shape.phases <= shape.inputs, "phases is not in 1..the numbers seen");
  for (const float result : shape.results) check(std::isfinite(result), "a result is not finite");
  check(s.value_lambda >= 0.0f && s.value_lambda <= 1.0f, "value_lambda is not in [0, 1]");
  check(s.discount > 0.0 && s.discount <= 1.0, "discount is not in (0, 1]");
  check(std::isfinite(s.scale) && s.scale > 0.0, "scale is not a number above 0");
  check(s.epsilon >= 0.0 && s.epsilon <= 1.0, "epsilon is not in [0, 1]");
  // Nobody can stop a game under way, and all of it is kept.
  check(s.max_moves >= 1 && s.max_moves <= 1000000, "max_moves is not in 1..1000000");
  check(s.block >= 1 && s.block <= 1 << 20, "block is not in 1..1048576");
  check(s.batch >= 1, "batch is not at least 1");
  check(s.epochs >= 0 && s.epochs <= 10000, "epochs is not in 0..10000");
  check(s.weight_decay >= 0.0f && s.weight_decay <= 1e6f, "weight_decay is not in [0, 1e6]");
  check(threads <= 1 << 12, "threads is not at most 4096");
  memory::claim(JudgeTrainer::bytes(shape, s.batch), "learning with these widths", "give smaller widths");
}

Floats copied(const float* from, std::size_t size) {
  Floats to = new_floats({size});
  std::copy_n(from, size, to.data());
  return to;
}

void restore(PyTdLearner& self, const Vector& theta, const Vector& mu, const Vector& nu, std::int64_t count) {
  const Busy::Turn turn(self.busy, "learner");
  JudgeTrainer& trainer = self.learner->trainer();
  for (const Vector* part : {&theta, &mu, &nu}) check_rows("state", part->shape(0), trainer.size());
  std::copy_n(theta.data(), trainer.size(), trainer.theta());
  std::copy_n(mu.data(), trainer.size(), trainer.mu());
  std::copy_n(nu.data(), trainer.size(), trainer.nu());
  trainer.count = count;
}

nb::dict play_round(PyTdLearner& self, std::int64_t games, std::uint64_t seed, float learning_rate,
                    const nb::object& on_progress) {
  const Busy::Turn turn(self.busy, "learner");
  Pace signals_due(std::chrono::milliseconds(50)), callback_due(std::chrono::milliseconds(200));
  TdRound round;
  {
    const nb::gil_scoped_release released;
    round = self.learner->play_round(games, seed, learning_rate, [&](std::int64_t over, std::int64_t moves) {
      if (signals_due.passed() && SignalPoller{}()) {
        const nb::gil_scoped_acquire gil;
        throw nb::python_error();
      }
      if (callback_due.passed()) {
        const nb::gil_scoped_acquire gil;
        if (!on_progress.is_none()) on_progress(over, moves);
      }
    });
  }
  const double count = static_cast<double>(std::max<std::int64_t>(1, round.games));
  nb::dict totals;
  totals["games"] = round.games;
  totals["decisions"] = round.decisions;
  totals["truncated"] = round.truncated;
  totals["mean_return"] = round.return_sum / count;
  totals["mean_length"] = static_cast<double>(round.decisions) / count;
  totals["loss"] = round.samples ? round.loss_sum / static_cast<double>(round.samples) : 0.0;
  return totals;
}

// A game as it was played, its parts by name; rows are decisions.
nb::dict play_game(PyTdLearner& self, std::uint64_t seed, std::uint64_t number) {
  const Busy::Turn turn(self.busy, "learner");
  TdTrace trace = self.learner->play_game(seed, number);
  const JudgeShape& shape = self.learner->trainer().shape();
  const std::size_t outputs = static_cast<std::size_t>(shape.outputs()), decisions = trace.played.size();
  std::vector<float> sign, paid, chance;
  std::vector<std::uint8_t> stray;
  for (const TdTrace::Decision& d : trace.played) {
    sign.push_back(d.sign);
    paid.push_back(d.paid);
    chance.push_back(d.chance);
    stray.push_back(d.stray);
  }
  const std::size_t samples = trace.target.size() / outputs;
  nb::dict parts;
  parts["observation"] =
      table_of_rows(std::move(trace.observation), samples, static_cast<std::size_t>(shape.inputs));
  parts["target"] = table_of_rows(std::move(trace.target), samples, outputs);
  parts["best"] = table_of_rows(std::move(trace.best), decisions, outputs);
  parts["sign"] = column(std::move(sign));
  parts["paid"] = column(std::move(paid));
  parts["chance"] = column(std::move(chance));
  parts["stray"] = column(std::move(stray));
  parts["truncated"] = trace.truncated;
  parts["first_return"] = trace.first_return;
  return parts;
}

}  // namespace

void bind_learn(nb::module_& m) {
  nb::class_<PyTdLearner>(m, "TdLearner", "TD(lambda) on a native game, playing and learning at once.")
      .def(
          "__init__",
          [](PyTdLearner* self, nb::handle game, const std::vector<int>& widths,
             const std::string& activation, int phases, const std::vector<float>& results, float value_lambda,
             double discount, double scale, double epsilon, int max_moves, int block, int batch, int epochs,
             float weight_decay, int threads, const std::string& kernel) {
            JudgeShape shape;
            shape.inputs = ops_of(game).observation_size(game);
            shape.widths = widths;
            shape.activation = find_activation(activation);
            shape.phases = phases;
            shape.results = results;
            const TdSettings settings{value_lambda, discount, scale,  epsilon,     max_moves,
                                      block,        batch,    epochs, weight_decay};
            check_learner(shape, settings, threads);
            const auto games = [&game](const LearningJudge& net, const TdSettings& how) {
              return ops_of(game).td_games(game, net, how);
            };
            new (self) PyTdLearner{std::make_unique<TdLearner>(shape, settings, find_kernel(kernel),
                                                               std::max(1, threads), games),
                                   {}};
          },
          nb::arg("game"), nb::kw_only(), nb::arg("widths"), nb::arg("activation"), nb::arg("phases"),
          nb::arg("results"), nb::arg("value_lambda"), nb::arg("discount"), nb::arg("scale"),
          nb::arg("epsilon"), nb::arg("max_moves"), nb::arg("block"), nb::arg("batch"), nb::arg("epochs"),
          nb::arg("weight_decay"), nb::arg("threads"), nb::arg("kernel") = "")
      .def("restore", &restore, nb::arg("theta"), nb::arg("mu"), nb::arg("nu"), nb::arg("count"))
      .def("play_round", &play_round, nb::kw_only(), nb::arg("games"), nb::arg("seed"),
           nb::arg("learning_rate"), nb::arg("on_progress").none())
      .def("play_game", &play_game, nb::arg("seed"), nb::arg("number"),
           "One game with the weights as they are, by parts: what was seen, the targets, what was paid.")
      .def_prop_ro("count",
                   [](PyTdLearner& self) {
                     const Busy::Turn turn(self.busy, "learner");
                     return self.learner->trainer().count;
                   })
      .def("theta",
           [](PyTdLearner& self) {
             const Busy::Turn turn(self.busy, "learner");
             return copied(self.learner->trainer().theta(), self.learner->trainer().size());
           })
      .def("moments", [](PyTdLearner& self) {
        const Busy::Turn turn(self.busy, "learner");
        JudgeTrainer& trainer = self.learner->trainer();
        return std::pair(copied(trainer.mu(), trainer.size()), copied(trainer.nu(), trainer.size()));
      });
}

}  // namespace dicezero
