import { z } from 'zod'

/** What cursors look like; the procedure parses them. */
const CURSOR = /^M[Si][4-7][\w-]{10,77}$/
export const isTime = (text: string) => z.iso.datetime().safeParse(text).success

export const lastEventId = z
  .string()
  .refine((text) => isTime(text) || CURSOR.test(text), 'must be the id of an event, or a time')
  .nullish()
  .describe('The id of the last event seen, or a time to begin at; what came shortly before it may come again.')
