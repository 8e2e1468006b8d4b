import { useThrottled } from '../../../lib/hooks/use-throttled.ts'

/** Min time between announcements of the price, ms. */
const EVERY_MS = 10_000

/** Announces the price to screen readers from time to time. */
export function PriceAnnouncer({ price }: { price: string }) {
  return (
    <p className="visually-hidden" role="status">
      Price {useThrottled(price, EVERY_MS)} SOL
    </p>
  )
}
