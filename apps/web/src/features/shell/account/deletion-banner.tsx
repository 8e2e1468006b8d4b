import { Button } from '../../../components/form/button.tsx'
import { longTime, useKeepAccount } from '../../../lib/market/deletion.ts'
import classes from './deletion-banner.module.css'

/** Says across the top of every screen that the account will be deleted, with the way to keep it. */
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
