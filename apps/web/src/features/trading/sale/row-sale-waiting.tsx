import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import classes from './row-sale.module.css'

export function RowSaleWaiting() {
  return (
    <div className={classes.waiting}>
      <Skeleton label="Loading the sale form" width="100%" height="100%" />
    </div>
  )
}
