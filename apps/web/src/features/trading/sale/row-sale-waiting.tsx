import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import classes from './row-sale.module.css'

/** A placeholder as tall as the form. */
export function RowSaleWaiting() {
  return (
    <div className={classes.waiting} role="status">
      <span className="visually-hidden">Loading what a sale would pay</span>
      <Skeleton width="100%" height="100%" />
    </div>
  )
}
