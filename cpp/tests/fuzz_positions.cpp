// Positions, moves and parameters of native games as a stranger may write them: refused, or a position that
// can be played, drawn and written again. libFuzzer drives it (make fuzz), fuzz_main.cpp where there is no
// clang.
//
// An input is a byte that chooses the game, then lines: the parameters, a value each where it is not empty;
// the position; names of moves. What is left after the last name is played as random moves.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rules/backgammon.h"
#include "rules/chess.h"
#include "rules/connect_four.h"
#include "rules/dark_chess.h"
#include "rules/dark_chess_text.h"
#include "rules/einstein.h"
#include "rules/go.h"
#include "rules/nannon.h"
#include "rules/tic_tac_toe.h"
#include "rules/twenty48.h"
#include "rules/twenty48_text.h"

namespace dicezero {
namespace {

constexpr int kMostMoves = 30;
constexpr int kMostLooks =
    2;  // positions of a line whose every move is named: the rest of the time is for parsing

void require(bool holds, const char* what, const std::string& where) {
  if (holds) return;
  std::fprintf(stderr, "fuzz_positions: %s at\n%s\n", what, where.c_str());
  std::abort();
}

std::string next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string line(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// The text as a value of the default's type; the default where it is none.
Value value_like(const Value& given, const std::string& text) {
  if (std::holds_alternative<std::string>(given)) return text;
  if (std::holds_alternative<bool>(given)) return text == "true";
  const auto read = [&](auto value) -> Value {
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  return std::holds_alternative<int>(given) ? read(std::get<int>(given)) : read(std::get<double>(given));
}

template <Game G>
std::vector<Action> legal_here(const G& game, const typename G::State& state) {
  std::vector<Action> ids;
  int limit = game.num_actions();
  if (game.player(state) == kChancePlayer) {
    std::vector<Outcome> outcomes;
    game.outcomes(state, outcomes);
    double total = 0;
    for (const Outcome& o : outcomes) ids.push_back(o.action), total += o.probability;
    require(std::abs(total - 1) < 1e-9, "probabilities that do not sum to 1", game.to_string(state));
    limit = game.num_chance_outcomes();
  } else {
    game.legal_actions(state, ids);
  }
  require(!ids.empty() && ids.front() >= 0 && ids.back() < limit &&
              std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end(),
          "bad action ids", game.to_string(state));
  return ids;
}

// What every position must bear: to be seen, named and written, and the text to be read again.
template <Game G>
void look(const G& game, const typename G::State& state, const std::vector<Action>& legal) {
  std::vector<float> tensor(observation_size(game), 0.0f);
  for (int viewer = 0; viewer < game.num_players(); ++viewer) {
    std::fill(tensor.begin(), tensor.end(), 0.0f);
    game.observe(state, viewer, tensor);
    require(std::all_of(tensor.begin(), tensor.end(), [](float x) { return std::isfinite(x); }),
            "an observation that is not finite", game.to_string(state));
  }
  for (const Action a : legal) {
    const std::string name = game.action_string(state, a);
    require(!name.empty(), "a move without a name", game.to_string(state));
    if constexpr (requires { game.parse_action(state, name); }) {
      if (game.player(state) >= 0)
        require(game.parse_action(state, name) == a, "a name of another move", game.to_string(state));
    }
  }
}

template <Game G>
void written_again(const G& game, const typename G::State& state) {
  if constexpr (requires { game.from_position(std::string()); }) {
    const std::string text = game.position(state);
    std::string again;
    try {
      again = game.position(game.from_position(text));
    } catch (const std::invalid_argument& error) {
      again = error.what();
    }
    require(again == text, "a position that is not read as it is written", text + "\n" + again);
  }
}

template <Game G>
void play(const G& game, typename G::State state, std::string_view rest) {
  if (game.player(state) != kTerminalPlayer) written_again(game, state);
  for (int ply = 0; ply < kMostMoves && game.player(state) != kTerminalPlayer; ++ply) {
    const std::vector<Action> legal = legal_here(game, state);
    if (ply < kMostLooks) look(game, state, legal);
    Action action = legal[0];
    if (rest.empty()) {
      if (ply > 8) return;
    } else if constexpr (requires { game.parse_action(state, std::string()); }) {
      const auto named = game.player(state) >= 0 ? game.parse_action(state, next_line(rest)) : std::nullopt;
      if (named) {
        require(std::binary_search(legal.begin(), legal.end(), *named), "an illegal move was read",
                game.to_string(state));
        action = *named;
      }
    } else {
      action = legal[static_cast<std::uint8_t>(rest[0]) % legal.size()];
      rest.remove_prefix(1);
    }
    game.apply(state, action);
  }
  require(std::isfinite(game.first_player_return(state)), "a return that is not finite",
          game.to_string(state));
}

template <NativeGame G>
void fuzz(std::string_view rest) {
  const std::vector<ParameterInfo> infos = G::parameter_info();
  Parameters parameters(infos);
  for (const ParameterInfo& info : infos) {
    const std::string text = next_line(rest);
    if (!text.empty()) parameters.set(info.name, value_like(info.default_value, text));
  }
  try {
    const G game = G::make(parameters);
    const std::string position = next_line(rest);
    if constexpr (requires { game.from_position(position); }) {
      play(game, position.empty() ? game.initial_state() : game.from_position(position), rest);
    } else {
      play(game, game.initial_state(), rest);
    }
  } catch (const std::invalid_argument&) {  // refused, which is right
  }
}

constexpr std::array kGames = {
    &fuzz<ChessGame<8>>, &fuzz<ChessGame<5>>, &fuzz<Go>,          &fuzz<Backgammon>, &fuzz<Twenty48>,
    &fuzz<DarkChess>,    &fuzz<Einstein>,     &fuzz<ConnectFour>, &fuzz<Nannon>,     &fuzz<TicTacToe>,
};

}  // namespace
}  // namespace dicezero

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t game = (data[0] - std::size_t{'0'}) % dicezero::kGames.size();
  dicezero::kGames[game]({reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
