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
  return cells == 8 ? "GSSS" : "GAAEERRHHCCSSSSS";
}

inline bool opponents(int piece, int other) { return other < kPieces && piece / 7 != other / 7; }

// Of a player's pieces (where[7 * victim + k] are the cells of kind k) those that each kind takes when it
// stands next to them: no higher rank, save that soldiers take the general and he does not take them. Cannons
// take by jumping.
inline std::array<std::uint32_t, 7> prey(const std::array<std::uint32_t, 16>& where, int victim) {
  const auto at = [&](int kind) { return where[static_cast<std::size_t>(7 * victim + kind)]; };
  std::array<std::uint32_t, 7> taken;
  std::uint32_t lower = 0;
  for (int kind = kSoldier; kind >= 0; --kind) taken[static_cast<std::size_t>(kind)] = lower |= at(kind);
  taken[kGeneral] &= ~at(kSoldier);
  taken[kSoldier] |= at(kGeneral);
  taken[kCannon] = 0;
  return taken;
}

}  // namespace dicezero::dark_chess
