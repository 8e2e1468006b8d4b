import { z } from 'zod'

/** A time of a request as ISO 8601, since 1970. */
export const time = z.iso
  .datetime({ offset: true, error: 'must be a time, such as 2026-01-05T18:00:00Z' })
  .refine((text) => Date.parse(text) >= 0, 'must not be before 1970')
  .transform((text) => new Date(text))

/** The fields of a list that is read by time. */
export const timeRange = {
  from: time.optional().describe('Nothing before this time.'),
  to: time.optional().describe('Nothing at or after this time.'),
}

export interface TimeRange {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}
