import type { App } from '../../context.ts'
import { BadInputError } from '../../errors.ts'
import { getTime } from '../../events/journal.ts'
import { findCursor } from '../../events/stream/event-cursor-notes.ts'
import { createTracker, subscribeTo } from '../../events/tracked-events.ts'
import { anyone, router } from '../../trpc.ts'
import { createLiveReader } from './live-reader.ts'
import { marketEvents, type ResumeAt } from './market-events.ts'
import { isTime, marketFeedInput, tokenFeedInput } from './schemas.ts'
import { tokenEvents } from './token-events.ts'

const trackBySeq = createTracker(({ seq }) => String(seq))
/** Before the first settled place there is no cursor: the time of the event. */
const trackByCursor = createTracker((event) => findCursor(event) || getTime(event))

export const liveRouter = router({
  /** One token's events; resumes after the last `seq` that the client saw. */
  token: anyone.input(tokenFeedInput).subscription(async function* ({ ctx, input, signal }) {
    const lastSeq = input.lastEventId == null ? null : Number(input.lastEventId)
    const { tokenId } = input
    yield* subscribeTo(tokenEvents(createLiveReader(ctx, signal), { tokenId, lastSeq }), trackBySeq, signal)
  }),
  /** All tokens' events; resumes after the last `id` that the client saw. Some may repeat: (tokenId, type, seq) identifies them. */
  market: anyone.input(marketFeedInput).subscription(async function* ({ ctx, input, signal }) {
    const resumeAt = input.lastEventId == null ? null : parseMarketId(ctx.app, input.lastEventId)
    yield* subscribeTo(marketEvents(createLiveReader(ctx, signal), resumeAt), trackByCursor, signal)
  }),
})

/** Throws `BadInputError`. */
function parseMarketId(app: App, id: string): ResumeAt {
  if (isTime(id)) return new Date(id)
  const cursor = app.stream.cursors.parse(id)
  if (cursor === null) throw new BadInputError('lastEventId is not the id of an event.')
  return cursor
}
