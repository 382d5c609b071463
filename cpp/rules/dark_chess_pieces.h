// The pieces of Chinese dark chess and which takes which.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace dicezero::dark_chess {

// By rank: general, advisor, elephant, chariot, horse, cannon, soldier. Piece k is red (capital letters), 7 +
// k black.
inline constexpr int kPieces = 14;
inline constexpr int kGeneral = 0, kCannon = 5, kSoldier = 6;
inline const std::string kLetters = "GAERHCS";
inline constexpr std::array<std::uint8_t, 7> kFullSet = {1, 2, 2, 2, 2, 2, 5};

inline char letter(int piece) {
  const char capital = kLetters[static_cast<std::size_t>(piece % 7)];
  return piece < 7 ? capital : static_cast<char>(capital - 'A' + 'a');
}

// A side's pieces: as given, or what is usual for a board of so many cells.
inline std::string piece_letters(const std::string& pieces, int cells) {
  if (pieces != "standard") return pieces;
  return cells == 8 ? "GCSS" : "GAAEERRHHCCSSSSS";
}

inline bool opponents(int piece, int other) { return other < kPieces && piece / 7 != other / 7; }

// Whether a piece takes another one that stands next to it: of the other colour and no higher rank, save that
// soldiers take the general and he does not take them. Cannons take by jumping alone.
inline bool captures(int piece, int other) {
  if (!opponents(piece, other)) return false;
  const int rank = piece % 7, victim = other % 7;
  if (rank == kCannon) return false;
  if (rank == kSoldier && victim == kGeneral) return true;
  if (rank == kGeneral && victim == kSoldier) return false;
  return rank <= victim;
}

}  // namespace dicezero::dark_chess
