/** A wallet in printable ASCII: it is copied by hand into other programs, so nothing in it may look like something else. */
export function printable(wallet: string): string {
  return wallet.replace(/[^\x20-\x7e]/g, '?')
}
