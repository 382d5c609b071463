// Go as text: vertices ("D4", no column I), a picture of the board, and positions in one line.
//
// A position is rows from the top, each with X (Black), O (White) and counts of empty points, then who is to
// move, and where they are not zero the passes just made and the moves so far: "9/9/4X4/9/9/9/2O6/9/9 b".
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rules/go_chains.h"

namespace dicezero {

inline constexpr char kGoColumns[] = "ABCDEFGHJKLMNOPQRST";

inline std::string go_vertex(const GoTable& table, int action) {
  if (action == table.points) return "pass";
  return kGoColumns[action % table.size] + std::to_string(action / table.size + 1);
}

// -1 where the text is no vertex of the board. Any case will do.
inline int parse_go_vertex(const GoTable& table, std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (text == "PASS") return table.points;
  if (text.size() < 2 || text.size() > 3) return -1;
  const auto column = std::string(kGoColumns).find(text[0]);
  int row = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), row);
  if (column == std::string::npos || static_cast<int>(column) >= table.size) return -1;
  if (error != std::errc() || end != text.data() + text.size() || row < 1 || row > table.size) return -1;
  return (row - 1) * table.size + static_cast<int>(column);
}

inline char go_letter(const std::array<PointSet, 2>& stones, int point) {
  return stones[0].has(point) ? 'X' : stones[1].has(point) ? 'O' : '.';
}

// Rows from the top, numbered; columns below.
inline std::string go_board_text(const GoTable& table, const std::array<PointSet, 2>& stones) {
  std::string text;
  for (int row = table.size - 1; row >= 0; --row) {
    const std::string number = std::to_string(row + 1);
    text += std::string(2 - number.size(), ' ') + number;
    for (int column = 0; column < table.size; ++column)
      text += {' ', go_letter(stones, row * table.size + column)};
    text += '\n';
  }
  text += "  ";
  for (int column = 0; column < table.size; ++column) text += {' ', kGoColumns[column]};
  return text;
}

struct GoPosition {
  std::array<PointSet, 2> stones;
  int turn = 0;
  int passes = 0;
  int plies = 0;
};

inline std::string go_position_text(const GoTable& table, const GoPosition& position) {
  std::string text;
  for (int row = table.size - 1; row >= 0; --row) {
    int empty = 0;
    for (int column = 0; column <= table.size; ++column) {
      const char letter = column < table.size ? go_letter(position.stones, row * table.size + column) : '/';
      if (letter == '.') {
        ++empty;
        continue;
      }
      if (empty > 0) text += std::to_string(empty);
      empty = 0;
      if (letter != '/' || row > 0) text += letter;
    }
  }
  text += position.turn == 0 ? " b" : " w";
  if (position.passes > 0 || position.plies > 0)
    text += ' ' + std::to_string(position.passes) + ' ' + std::to_string(position.plies);
  return text;
}

namespace detail {

[[noreturn]] inline void go_position_error(const std::string& text, const std::string& complaint) {
  const std::string shown = text.size() <= 100 ? text : text.substr(0, 97) + "...";
  throw std::invalid_argument("position '" + shown + "': " + complaint);
}

inline void read_stones(const GoTable& table, const std::string& text, const std::string& field,
                        std::array<PointSet, 2>& stones) {
  const std::string shape =
      "the board is not " + std::to_string(table.size) + " rows of " + std::to_string(table.size) + " points";
  int row = table.size - 1, column = 0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const char c = field[i];
    if (c == '/') {
      if (column != table.size || row == 0) go_position_error(text, shape);
      column = 0, --row;
    } else if (c == 'X' || c == 'O') {
      if (column >= table.size) go_position_error(text, shape);
      stones[c == 'X' ? 0 : 1].add(row * table.size + column++);
    } else if (c >= '0' && c <= '9') {
      int count = c - '0';
      if (i + 1 < field.size() && field[i + 1] >= '0' && field[i + 1] <= '9')
        count = 10 * count + field[++i] - '0';
      column += count;
    } else {
      go_position_error(text, std::string("'") + c + "' is no stone; give X, O or a count of empty points");
    }
    if (column > table.size) go_position_error(text, shape);
  }
  if (column != table.size || row != 0) go_position_error(text, shape);
}

inline int read_number(const std::string& text, const std::string& field, const char* what, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || value < 0 || value > most)
    go_position_error(
        text, std::string(what) + " '" + field + "' is not a number from 0 to " + std::to_string(most));
  return value;
}

}  // namespace detail

// Throws std::invalid_argument on what is no position of the board.
inline GoPosition parse_go_position(const GoTable& table, const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> fields;
  for (std::string word; words >> word && fields.size() < 6;) fields.push_back(word);
  if (fields.size() != 2 && fields.size() != 4)
    detail::go_position_error(text, "give the rows from the top and b or w, such as '2X/3/O2 b'");
  GoPosition position;
  detail::read_stones(table, text, fields[0], position.stones);
  if (fields[1] != "b" && fields[1] != "w")
    detail::go_position_error(text, "side to move '" + fields[1] + "' is not b or w");
  position.turn = fields[1] == "b" ? 0 : 1;
  if (fields.size() == 4) {
    position.passes = detail::read_number(text, fields[2], "passes", 2);
    position.plies = detail::read_number(text, fields[3], "moves", 10000);
  }
  const GoChains chains(table, position.stones);
  for (int p = 0; p < table.points; ++p) {
    if (!chains.is_empty(p) && chains.at(p).liberties == 0)
      detail::go_position_error(text, "the stones at " + go_vertex(table, p) + " have no liberty");
  }
  return position;
}

}  // namespace dicezero
