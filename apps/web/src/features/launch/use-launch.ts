import { useNavigate } from '@tanstack/react-router'
import { cache, client, type Inputs, type TokenId } from '../../lib/api/api.ts'
import { refetchPlayer } from '../../lib/api/current-user.ts'
import { getReason } from '../../lib/api/failure.ts'
import { type Keyed, useOrder } from '../../lib/api/use-order.ts'
import { useAskForLogin } from '../../lib/hooks/use-ask-for-login.ts'
import { showToast } from '../../lib/ui/toasts.ts'
import { type Draft, draftKey, EMPTY_DRAFT, storeDraft, toLaunch } from './draft.ts'

type LaunchOrder = Inputs['tokens']['launch']

const FAILURE = { title: 'Launch Failed', fallback: 'Failed to launch token' }

/** Launches a draft's token in a fair or the main game, and opens its page. */
export function useLaunch(fairId?: number) {
  const navigate = useNavigate()
  const askForLogin = useAskForLogin('launch a token')
  const order = useOrder({
    call: (sent: Keyed<LaunchOrder>, options) => client.tokens.launch.mutate(sent, options),
    onAnswer: ({ token, ...answer }) => {
      storeDraft(EMPTY_DRAFT, fairId)
      const id = toTokenId(answer)
      if (id !== undefined) cache.tokens.get.setData({ id }, token)
      refetchPlayer().catch(() => {})
      void cache.tokens.list.invalidate(undefined, { refetchType: 'none' })
      showToast({ title: 'Token Launched!', message: `${token.name} is now live and ready to trade!` })
    },
    failure: () => FAILURE,
    onFailure: (error) => {
      if (getReason(error) === 'INSUFFICIENT_BALANCE') refetchPlayer().catch(() => {})
    },
    askForLogin: ({ symbol }) => askForLogin({ kind: 'launch', symbol }),
    storedAs: `${draftKey(fairId)}-sent`,
  })
  // Keep the form busy until the token's page opens.
  const busy = order.isBusy || order.answer !== null
  const launch = (draft: Draft) => {
    if (busy) return
    const { seal, ...inFair } = toLaunch(draft)
    order.send(fairId === undefined ? { ...inFair, ...(seal && { seal }) } : { ...inFair, fairId }, {
      onShown: (answer) => {
        const id = toTokenId(answer)
        void navigate(id === undefined ? { to: '/' } : { to: '/token/$id', params: { id: String(id) } })
      },
    })
  }
  return { launch, busy }
}

/** Returns the new token's id, which is missing only in the response of a server with another version. */
function toTokenId({ id }: { id: TokenId }): TokenId | undefined {
  return id
}
