import { useNavigate } from '@tanstack/react-router'
import { cache, type TokenId, trpc } from '../../lib/api/api.ts'
import { forgetPlayer, refetchPlayer, useCurrentUser } from '../../lib/api/current-user.ts'
import { getReason, isSignedOut } from '../../lib/api/failure.ts'
import { useRequestKey } from '../../lib/api/request-key.ts'
import { type AuthTab, useAskForLogin } from '../../lib/hooks/use-ask-for-login.ts'
import { showFailure, showToast } from '../../lib/ui/toasts.ts'
import { type Draft, draftKey, EMPTY_DRAFT, storeDraft, toLaunch } from './draft.ts'

/**
 * Launches a draft's token in a fair or the main game, and opens its page. Another call while a launch is pending does
 * nothing.
 */
export function useLaunch(fairId?: number) {
  const user = useCurrentUser()
  const navigate = useNavigate()
  const askForLogin = useAskForLogin('launch a token')
  const requestKey = useRequestKey(`${draftKey(fairId)}-sent`)
  const mutation = trpc.tokens.launch.useMutation({
    // These callbacks run even if the player has left the page meanwhile.
    onSuccess: ({ token, ...answer }) => {
      requestKey.answered(null)
      storeDraft(EMPTY_DRAFT, fairId)
      const id = toTokenId(answer)
      if (id !== undefined) cache.tokens.get.setData({ id }, token)
      refetchPlayer().catch(() => {})
      void cache.tokens.list.invalidate(undefined, { refetchType: 'none' })
      showToast({ title: 'Token Launched!', message: `${token.name} is now live and ready to trade!` })
    },
    onError: (error) => {
      requestKey.answered(error)
      // Otherwise the login screen would treat the page's user as logged in and redirect back.
      if (isSignedOut(error)) return forgetPlayer()
      if (getReason(error) === 'INSUFFICIENT_BALANCE') refetchPlayer().catch(() => {})
      showFailure('Launch Failed', error, 'Failed to launch token')
    },
  })
  const busy = mutation.isPending || mutation.isSuccess

  const askToSignIn = ({ symbol }: Draft, tab: AuthTab) => askForLogin({ kind: 'launch', symbol }, tab)

  const launch = (draft: Draft) => {
    if (busy) return
    if (user === null) return askToSignIn(draft, 'register')
    const { seal, ...inFair } = toLaunch(draft)
    const order = fairId === undefined ? { ...inFair, ...(seal && { seal }) } : { ...inFair, fairId }
    mutation.mutate(requestKey.keep(order), {
      onSuccess: (answer) => {
        const id = toTokenId(answer)
        void navigate(id === undefined ? { to: '/' } : { to: '/token/$id', params: { id: String(id) } })
      },
      onError: (error) => isSignedOut(error) && askToSignIn(draft, 'login'),
    })
  }
  return { launch, busy }
}

/** Returns the new token's id. Only a server of another version sends a response without an id. */
function toTokenId({ id }: { id: TokenId }): TokenId | undefined {
  return id
}
