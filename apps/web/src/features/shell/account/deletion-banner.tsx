import { Button } from '../../../components/form/button.tsx'
import { longTime, useKeepAccount } from '../../../lib/market/deletion.ts'
import classes from './deletion-banner.module.css'

/** A banner on every screen while the account is scheduled for deletion, with a button that cancels it. */
export function DeletionBanner({ dueAt }: { dueAt: string }) {
  const { keep, isPending } = useKeepAccount()
  return (
    <section className={classes.banner} aria-label="Account deletion">
      <p className={classes.text}>
        Your account will be deleted on <time dateTime={dueAt}>{longTime(dueAt)}</time>.
      </p>
      <Button look="quiet" disabled={isPending} onClick={keep}>
        {isPending ? 'Keeping it...' : 'Keep my account'}
      </Button>
    </section>
  )
}
