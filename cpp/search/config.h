// The planner's settings, as src/dicezero/search/config.py documents and checks them.
#pragma once

#include <cstdint>

namespace dicezero {

enum class RootRule : std::uint8_t { puct, gumbel, gumbel_with_replacement, trpo, mpo };
enum class InteriorRule : std::uint8_t { puct, improved, improved_sampled, trpo, mpo, ucb1, uniform };
// Rules that need no action but the likeliest of those not tried yet, so that the others need no edge.
constexpr bool needs_likeliest_only(InteriorRule rule) {
  return rule == InteriorRule::puct || rule == InteriorRule::improved;
}
// The Monte Carlo rules know no special root.
constexpr bool treats_root_alike(InteriorRule rule) {
  return rule == InteriorRule::ucb1 || rule == InteriorRule::uniform;
}
enum class ChanceRule : std::uint8_t { roulette, low_variance, expectation };
// What a chance node is worth: the mean of what came back, or sum p Q with a stand-in for outcomes not seen
// yet.
enum class ChanceValue : std::uint8_t { mean, completed, afterstate };
enum class Players : std::uint8_t { single, alternate, learned };
enum class QNormalisation : std::uint8_t { siblings, tree, fixed, none };
enum class PuctForm : std::uint8_t { ndmz, muzero };

struct PlanConfig {
  int simulations = 100;
  RootRule root = RootRule::gumbel;
  InteriorRule interior = InteriorRule::improved;
  ChanceRule chance = ChanceRule::low_variance;
  ChanceValue chance_value = ChanceValue::mean;
  Players players = Players::learned;
  double discount = 1.0;     // of each choice
  double value_scale = 1.0;  // what the rules pay is divided by this in the tree
  QNormalisation q_normalisation = QNormalisation::siblings;
  double q_low = -1.0;
  double q_high = 1.0;
  int max_considered_actions = 16;
  double c_visit = 50.0;
  double c_scale = 1.0;
  bool mixed_value = true;  // unvisited actions get v_mix (eq. 33), else the network's value
  PuctForm puct_form = PuctForm::muzero;
  double puct_init = 1.25;
  double puct_base = 19652.0;
  double dirichlet_fraction = 0.0;
  double dirichlet_alpha = 0.3;
  double forced_playouts = 0.0;    // k of a PUCT root; 0 forces none
  bool prune_targets = false;      // its policy without visits that were forced in vain
  bool paper_budget = false;       // a simulation is one of the NDMZ paper's descents
  bool ancestor_terminal = false;  // a learned terminal node takes its choice ancestor's value
  bool prove = false;              // over the true rules: what the tree knows for certain stays so (proof.h)
  int edges_on_need_above =
      256;            // more actions than this: a model's choice nodes make edges when first taken
  int max_depth = 0;  // steps of the model below the root; 0 is no limit
  double temperature = 1.0;
  int threads = 1;
  double ucb_c = 1.4;  // UCB1's exploration constant, for Q scaled to [0, 1]
  bool flat = false;   // only the root's actions are in the tree; what lies below is played out each time
  // Progressive widening: a node of N visits has at most max(1, ceil(k N^alpha)) children; k = 0 is no limit.
  double widen_choice_k = 0.0;
  double widen_choice_alpha = 0.5;
  double widen_chance_k = 0.0;
  double widen_chance_alpha = 0.5;
};

}  // namespace dicezero
