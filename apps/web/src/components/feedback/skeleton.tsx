import classes from './skeleton.module.css'

/** A grey bar where a text or figure of this size will be. */
export function Skeleton({ width, height }: { width?: string | number; height: string | number }) {
  return <span className={classes.skeleton} style={{ width, height }} aria-hidden="true" />
}
