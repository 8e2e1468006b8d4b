import { formatSol, formatUsdHint } from '@papermoon/format'
import { Skeleton } from '../feedback/skeleton.tsx'
import classes from './worth.module.css'

const SOL_SHOWN = 6

/** A net worth in SOL and in dollars. It is undefined while it is fetched. */
export function Worth({ sol }: { sol: string | undefined }) {
  return (
    <p className={classes.worth}>
      {sol === undefined ? (
        <Skeleton width="9em" height="1em" />
      ) : (
        <>
          <span title={`${sol} SOL`}>{formatSol(sol, SOL_SHOWN)}</span> <small>SOL</small>{' '}
          <span className={classes.dollars}>{formatUsdHint(sol)}</span>
        </>
      )}
    </p>
  )
}
