import { tokenId } from '@papermoon/engine'
import { z } from 'zod'

export const tokenFeedInput = z.object({
  tokenId,
  lastEventId: z
    .string()
    .regex(/^\d{1,16}$/, 'must be a sequence number')
    .nullish()
    .describe('The seq of the last event seen; events after it come first.'),
})

export const marketFeedInput = z.object({
  lastEventId: z.iso
    .datetime('must be a time')
    .nullish()
    .describe('The id of the last event seen; what came shortly before it may come again.'),
})
