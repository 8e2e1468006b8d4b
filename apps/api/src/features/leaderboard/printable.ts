/**
 * Reduces a wallet to printable ASCII, because people copy it into other programs, so it must not contain look-alikes.
 */
export function printable(wallet: string): string {
  return wallet.replace(/[^\x20-\x7e]/g, '?')
}
