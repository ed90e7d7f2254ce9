"""Hidden cards without a dealer: sealed decks for two to four seats that need not trust one another.

UNAUDITED. Nobody outside this project has reviewed this cryptography. Use it to play a game; do not use it where
more than a game is at stake.

What was done to earn trust:

- Known constructions only: Barnett–Smart masking with ElGamal in the prime-order subgroup of edwards25519, the
  Bayer–Groth argument for a shuffle (EUROCRYPT 2012; checked by machine: Haines, Goré and Tiwari, USENIX Security
  2023) with all cards in one row, Schnorr and Chaum–Pedersen proofs made non-interactive over labelled,
  length-prefixed transcripts that bind the game, the moment in it, the author and all keys. Our own combination of
  them has not been checked by machine: several piles in one row, all equations weighed into one sum, the points of
  cards as bases of commitments.
- The curve is libsodium's. One module touches it, imports every foreign point and scalar, and refuses to work
  with a libsodium that accepts points outside the group.
- Secrets come from the operating system; every other secret number is derived from one of them and from the
  whole statement that it serves, so that no nonce ever answers two challenges.
- The tests include attackers: provers who forge shuffles as well as they can, replays to every other game, seat,
  deck, epoch and slot, every bit flipped, bad points and scalars, wrong masks, and coalitions that pool all their
  secrets to read a hand. A second implementation of the group, ristretto255, gives the same verdicts.

Not hidden: a player who returned a card to a deck recognizes it when another player draws it, as at a real table.
After a player has left, all who stay could together read the decks, including that player's hand.
"""
