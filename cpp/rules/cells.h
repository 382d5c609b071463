// Boards of few cells, each of few values: what lookup tables over tuples of cells can read. A trait that a
// game may offer; docs/add-a-game.md.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rules/game.h"

namespace dicezero {

// A board as one 64-bit word: four bits a cell, so values above 15 count as 15.
struct CellBoard {
  int rows;
  int columns;
  int values;               // of a cell, at most; plane v of the observation has the cells of value v
  std::vector<int> places;  // of the cells row by row: cell i is in bits 4 * places[i]...; rising
  double optimism = 0.0;    // what tables that know nothing had better expect, so that all is tried
};

// Tuples of cells (row * columns + column, rising) that are worth a table each.
struct TupleSet {
  std::string name;
  std::vector<std::vector<int>> tuples;
};

// `cell_words` writes the word of the board under each of the game's symmetries, in their order.
template <class G>
concept CellGame =
    Game<G> && requires(const G& game, const typename G::State& state, std::span<std::uint64_t> words) {
      { game.cell_board() } -> std::same_as<CellBoard>;
      { game.tuple_sets() } -> std::same_as<std::vector<TupleSet>>;  // the first is the usual one
      { game.num_views() } -> std::same_as<int>;                     // of the symmetries
      { game.cell_words(state, words) } -> std::same_as<void>;
    };

}  // namespace dicezero
