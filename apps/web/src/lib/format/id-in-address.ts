/** Max value of PostgreSQL's `integer`, the type of every id. */
const ID_MAX = 2_147_483_647

/** Parses an id from the address; null where no row can have it. */
export function idInAddress(text: string): number | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= ID_MAX ? id : null
}
