import type { App } from '../../src/context.ts'
import { MarketFollower } from '../../src/features/notices/follow/follow-market.ts'

/** Looks at the market beside the server's own follower, which rests longer than it looks. */
export function createRestlessFollower(app: App): { look(): Promise<void> } {
  const follower = new MarketFollower(app)
  follower.detach()
  const goOn = async () => {}
  return {
    look: async () => {
      await follower.follow(undefined, goOn)
      await follower.tellHolders(undefined, goOn)
    },
  }
}
