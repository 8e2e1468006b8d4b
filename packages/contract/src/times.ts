import { z } from 'zod'

/** A time in a request as ISO 8601, in 1970 or later. */
export const time = z.iso
  .datetime({ offset: true, error: 'must be a time, such as 2026-01-05T18:00:00Z' })
  .refine((text) => Date.parse(text) >= 0, 'must not be before 1970')
  .transform((text) => new Date(text))

/** Query fields for lists that can be limited to a time range. */
export const timeRange = {
  from: time.optional().describe('Return only entries from this time on.'),
  to: time.optional().describe('Return only entries before this time.'),
}

export interface TimeRange {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}
