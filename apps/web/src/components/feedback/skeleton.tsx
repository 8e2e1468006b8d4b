import classes from './skeleton.module.css'

/** A grey placeholder of the given size for a text or figure. */
export function Skeleton({ width, height }: { width?: string | number; height: string | number }) {
  return <span className={classes.skeleton} style={{ width, height }} aria-hidden="true" />
}
