import { useIsWhole } from '../../../lib/boot/use-is-whole.ts'

/** Height of a card and its gap in one column, px. */
const CARD_PX = 176

/** How many cards to draw: on a phone those of the first screen until they are painted, then all. */
export function useFirstCards(): number {
  const isWhole = useIsWhole()
  // The inner height would force a layout.
  return isWhole ? Number.POSITIVE_INFINITY : Math.ceil(outerHeight / CARD_PX) - 1
}
