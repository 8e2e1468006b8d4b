import { useThrottled } from '../../../lib/hooks/use-throttled.ts'

/** A busy token would talk without end: its price is read out at most this often, ms. */
const EVERY_MS = 10_000

/** Tells screen readers the price, now and then. */
export function PriceAnnouncer({ price }: { price: string }) {
  return (
    <p className="visually-hidden" role="status">
      Price {useThrottled(price, EVERY_MS)} SOL
    </p>
  )
}
