import { z } from 'zod'

/** The allowed characters and max length of a cursor. Each procedure parses its own cursors. */
const CURSOR = /^M[Si][4-7][\w-]{10,77}$/
export const isTime = (text: string) => z.iso.datetime().safeParse(text).success

export const lastEventId = z
  .string()
  .refine((text) => isTime(text) || CURSOR.test(text), 'must be the id of an event, or a time')
  .nullish()
  .describe('Id of the last event received, or the time to begin at. Some earlier events may be sent again.')
