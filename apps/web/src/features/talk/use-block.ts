import { client, trpc } from '../../lib/api/api.ts'
import { attempt } from '../../lib/ui/attempt.ts'
import { showToast } from '../../lib/ui/toasts.ts'

/** Returns a function that blocks a player, or no longer. */
export function useBlock() {
  const utils = trpc.useUtils()
  return (isOn: boolean, { id: userId, username }: { readonly id: number; readonly username: string }) =>
    attempt(isOn ? 'Not blocked' : 'Not unblocked', async () => {
      const change = isOn ? client.follows.block : client.follows.unblock
      utils.follows.list.setData(undefined, await change.mutate({ userId }))
      if (isOn) showToast({ title: `${username} is blocked`, message: 'Neither of you sees what the other says.' })
      await utils.follows.of.invalidate()
    })
}
