// Backgammon in writing: moves, GNU Backgammon's position IDs and XGIDs.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/backgammon_board.h"

namespace dicezero::backgammon {

inline std::string point_name(int point) {
  return point == BackgammonBoard::kBar ? "bar" : point <= 0 ? "off" : std::to_string(point);
}

// "8/5 6/5", "24/18*/13", "bar/22", "6/off(2)"; `first` moves by the larger die, 0 is no checker.
inline std::string move_text(const BackgammonView& view, int large, int small, int first, int second) {
  struct Leg {
    int from, to;
  };
  const auto leg = [](int from, int die) { return Leg{from, std::max(from - die, 0)}; };
  const auto hit = [&](int point) { return point > 0 && (view.blots >> point & 1) != 0 ? "*" : ""; };
  if (first == 0 && second == 0) return "pass";
  std::vector<Leg> legs;
  if (first != 0) legs.push_back(leg(first, large));
  if (second != 0) legs.push_back(leg(second, small));
  const auto one = [&](const Leg& l) { return point_name(l.from) + "/" + point_name(l.to) + hit(l.to); };
  if (legs.size() == 1) return one(legs[0]);
  if (legs[0].from < legs[1].from) std::swap(legs[0], legs[1]);
  const auto [from, middle] = legs[0];
  const auto [next, to] = legs[1];
  if (from == next && middle == to) {  // two together
    return point_name(from) + "/" + point_name(to) + hit(to) + "(2)";
  }
  if (middle == next) {  // one checker by both; the point between is named where something is hit
    const std::string between = *hit(middle) != 0 ? point_name(middle) + "*/" : "";
    return point_name(from) + "/" + between + point_name(to) + hit(to);
  }
  std::string text = one(legs[0]);
  // The second checker to a point finds nobody there any more.
  return text + " " + point_name(next) + "/" + point_name(to) + (to == middle ? "" : hit(to));
}

// "24:2 13:5 8:3 6:5 off:0" in the side's own counting.
inline std::string side_text(const BackgammonBoard& board, int side) {
  std::string text;
  const auto& counts = board.checkers[static_cast<std::size_t>(side)];
  for (int p = BackgammonBoard::kBar; p >= 0; --p) {
    const int count = counts[static_cast<std::size_t>(p)];
    if (count > 0) text += (text.empty() ? "" : " ") + point_name(p) + ":" + std::to_string(count);
  }
  return text;
}

// GNU Backgammon's key [80 bits, the low ones first]: for the side that waits and then the mover, for each of
// its points 1..24 and the bar, as many ones as checkers and a zero.
inline std::array<std::uint64_t, 2> position_bits(const BackgammonBoard& board, int mover) {
  std::array<std::uint64_t, 2> bits{};
  std::size_t at = 0;
  for (const int side : {1 - mover, mover}) {
    for (std::size_t p = 1; p <= 25; ++p, ++at) {
      for (int n = board.checkers[static_cast<std::size_t>(side)][p]; n > 0; --n, ++at)
        bits[at / 64] |= 1ULL << at % 64;
    }
  }
  return bits;
}

inline constexpr char kBase64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The key's ten bytes in base 64 without padding: "4HPwATDgc/ABMA" is the start.
inline std::string position_id(const BackgammonBoard& board, int mover) {
  const auto bits = position_bits(board, mover);
  const auto byte = [&](std::size_t i) {
    return i < 10 ? static_cast<unsigned>(bits[i / 8] >> 8 * (i % 8)) & 255u : 0u;
  };
  std::string text;
  for (std::size_t i = 0; i < 12; i += 3) {
    const unsigned group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (int shift = 18; shift >= 0; shift -= 6) text += kBase64[group >> shift & 63];
  }
  return text.substr(0, 14);
}

// The mover is the side below (capitals); cubeless money play.
// "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
inline std::string xgid(const BackgammonBoard& board, int mover, int large, int small) {
  const auto& own = board.checkers[static_cast<std::size_t>(mover)];
  const auto& other = board.checkers[static_cast<std::size_t>(1 - mover)];
  std::string text = "XGID=";
  for (std::size_t p = 0; p <= 25; ++p) {
    const int mine = p > 0 ? own[p] : 0, theirs = p < 25 ? other[25 - p] : 0;
    text += static_cast<char>(mine > 0 ? 'A' + mine - 1 : theirs > 0 ? 'a' + theirs - 1 : '-');
  }
  return text + ":0:0:1:" + std::to_string(large) + std::to_string(small) + ":0:0:0:0:10";
}

struct ParsedPosition {
  BackgammonBoard board;  // side 0 is the mover
  int large = 0;          // 0: before the roll
  int small = 0;
};

inline std::invalid_argument bad_position(const std::string& text, const std::string& why) {
  return std::invalid_argument("backgammon: position '" + text.substr(0, 80) + "' " + why);
}

inline void parse_position_id(const std::string& text, BackgammonBoard& board) {
  std::array<std::uint8_t, 12> bytes{};
  for (std::size_t i = 0; i < 14; ++i) {
    const char* const found = std::find(kBase64, kBase64 + 64, text[i]);
    if (found == kBase64 + 64)
      throw bad_position(text, "has a character outside base 64; give a position ID or XGID");
    const auto value = static_cast<unsigned>(found - kBase64) << (18 - 6 * (i % 4));
    for (std::size_t k = 0; k < 3; ++k)
      bytes[i / 4 * 3 + k] |= static_cast<std::uint8_t>(value >> (16 - 8 * k));
  }
  std::size_t at = 0;
  const auto next = [&] {
    if (at >= 80) throw bad_position(text, "has more than 30 checkers; give a position ID of 14 characters");
    const bool one = (bytes[at / 8] >> at % 8 & 1) != 0;
    ++at;
    return one;
  };
  for (const std::size_t side : {1u, 0u}) {
    for (std::size_t p = 1; p <= 25; ++p) {
      while (next()) ++board.checkers[side][p];
    }
  }
}

inline ParsedPosition parse_xgid(const std::string& text) {
  ParsedPosition parsed;
  const std::string form = "is no XGID; give XGID= and 26 characters, then :cube:owner:turn:dice";
  std::vector<std::string> fields(1);
  for (const char c : text.substr(5)) {
    if (c == ':') fields.emplace_back();
    if (c != ':') fields.back() += c;
  }
  if (fields.size() < 5 || fields[0].size() != 26) throw bad_position(text, form);
  if (fields[3] != "1" && fields[3] != "-1")
    throw bad_position(text, "has turn " + fields[3] + "; give 1 or -1");
  const bool below_moves = fields[3] == "1";
  for (std::size_t p = 0; p <= 25; ++p) {
    const char c = fields[0][p];
    const bool below = c >= 'A' && c <= 'P', above = c >= 'a' && c <= 'p';
    if (c != '-' && !below && !above) throw bad_position(text, form);
    const int count = below ? c - 'A' + 1 : above ? c - 'a' + 1 : 0;
    if ((below && p == 0) || (above && p == 25))
      throw bad_position(text, "has a checker on the other side's bar");
    if (count > 0)
      parsed.board.checkers[below == below_moves ? 0 : 1][below ? p : 25 - p] =
          static_cast<std::uint8_t>(count);
  }
  const std::string& dice = fields[4];
  if (dice == "00") return parsed;
  const bool rolled =
      dice.size() == 2 && dice[0] >= '1' && dice[0] <= '6' && dice[1] >= '1' && dice[1] <= '6';
  if (!rolled) throw bad_position(text, "has dice " + dice + "; give 00 before a roll, or two of 1..6");
  parsed.large = std::max(dice[0], dice[1]) - '0';
  parsed.small = std::min(dice[0], dice[1]) - '0';
  return parsed;
}

// A position ID or an XGID; what is not on the board is borne off.
inline ParsedPosition parse_position(const std::string& text, int checkers) {
  ParsedPosition parsed;
  if (text.starts_with("XGID=")) {
    parsed = parse_xgid(text);
  } else if (text.size() == 14) {
    parse_position_id(text, parsed.board);
  } else {
    throw bad_position(text, "is neither a position ID of 14 characters nor an XGID");
  }
  BackgammonBoard& board = parsed.board;
  for (const std::size_t side : {0u, 1u}) {
    const int off = checkers - board.total(static_cast<int>(side));
    if (off < 0)
      throw bad_position(text, "has more than " + std::to_string(checkers) + " checkers on a side");
    if (off == checkers) throw bad_position(text, "is over: a side has no checker left");
    board.checkers[side][BackgammonBoard::kOff] = static_cast<std::uint8_t>(off);
  }
  for (std::size_t p = 1; p <= 24; ++p) {
    if (board.checkers[0][p] > 0 && board.checkers[1][25 - p] > 0) {
      throw bad_position(text, "has checkers of both sides on point " + std::to_string(p));
    }
  }
  return parsed;
}

}  // namespace dicezero::backgammon
