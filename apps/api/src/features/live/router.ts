import { createTracker, subscribeTo } from '../../events/tracked-events.ts'
import { anyone, router } from '../../trpc.ts'
import { createLiveReader } from './live-reader.ts'
import { marketEvents } from './market-events.ts'
import { marketFeedInput, tokenFeedInput } from './schemas.ts'
import { tokenEvents } from './token-events.ts'

const trackBySeq = createTracker(({ seq }) => String(seq))
const trackByTime = createTracker((event) => (event.type === 'trade' ? event.trade.createdAt : event.createdAt))

export const liveRouter = router({
  /** One token's events; resumes after the last `seq` that the client saw. */
  token: anyone.input(tokenFeedInput).subscription(async function* ({ ctx, input, signal }) {
    const lastSeq = input.lastEventId == null ? null : Number(input.lastEventId)
    const { tokenId } = input
    yield* subscribeTo(tokenEvents(createLiveReader(ctx, signal), { tokenId, lastSeq }), trackBySeq, signal)
  }),
  /** All tokens' events. After a break some may repeat: (tokenId, type, seq) identifies them. */
  market: anyone.input(marketFeedInput).subscription(async function* ({ ctx, input, signal }) {
    const since = input.lastEventId == null ? null : new Date(input.lastEventId)
    yield* subscribeTo(marketEvents(createLiveReader(ctx, signal), since), trackByTime, signal)
  }),
})
