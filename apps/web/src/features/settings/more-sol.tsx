import { Button } from '../../components/form/button.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { cache, trpc } from '../../lib/api/api.ts'
import { setBalance } from '../../lib/api/current-user.ts'
import { getSentence } from '../../lib/api/failure.ts'
import { formatSol } from '../../lib/format/format.ts'
import { showFailure, showToast } from '../../lib/ui/toasts.ts'
import classes from './more-sol.module.css'

const FALLBACK = 'Failed to reset the account'

/** The account reset, for players who lost nearly everything. */
export function MoreSol() {
  const reset = trpc.account.reset.useMutation({
    onSuccess: ({ granted, balance }) => {
      setBalance(balance)
      void cache.portfolio.invalidate()
      showToast({ title: 'Account Reset!', message: `You've received ${formatSol(granted, 2)} SOL. Spend them worse.` })
    },
    onError: (error) => showFailure('Reset Refused', getSentence(error), FALLBACK),
  })
  return (
    <Panel title="Get 100 more">
      <p className={classes.text}>
        Ruined? It happens to the best. With a net worth under 10 SOL you may start again, once a day: your holdings
        stay, and your balance is topped up so that your net worth is 100 SOL. Net worth is what you could take out now:
        your balance, all the SOL in the open pools of tokens that you launched, and what selling your other tokens
        would pay.
      </p>
      <div className={classes.row}>
        <Button onClick={() => reset.mutate()} disabled={reset.isPending}>
          {reset.isPending ? 'Resetting...' : 'Reset Account'}
        </Button>
        {reset.isError && <p className={classes.refusal}>{getSentence(reset.error) ?? FALLBACK}</p>}
      </div>
    </Panel>
  )
}
