// Is a game too large to be solved? Found out from a small part of its states.
#pragma once

#include <algorithm>

#include "rules/game.h"
#include "solve/monitor.h"
#include "solve/samples.h"
#include "solve/walks.h"

namespace dicezero {

// Two lower bounds of a game's number of states, and the greater of them. Random games soon tell what is
// hopeless even where a move takes long; samples tell what is a few times too large.
template <Game G>
class SizeProbe {
 public:
  // `enough`: the number of states that is worth knowing to be exceeded.
  SizeProbe(const G& game, double enough) : enough_(enough), walks_(game, enough), samples_(game, enough) {}

  bool undecided() const { return walks_.undecided() || samples_.undecided(); }

  // Goes on for about so long; returns a lower bound of the number of states. What it finds in one call is
  // kept for the next.
  double play(double seconds, const Monitor& monitor) {
    const double end = cpu_seconds() + seconds;
    const double by_walks = walks_.play(kWalking * seconds, monitor);
    if (by_walks > enough_) return by_walks;
    return std::max(by_walks, samples_.play(end - cpu_seconds(), monitor));
  }

 private:
  static constexpr double kWalking = 0.4;  // of the time at most; walks end when more of them cannot tell

  double enough_;
  RandomWalks<G> walks_;
  SampledStates<G> samples_;
};

}  // namespace dicezero
