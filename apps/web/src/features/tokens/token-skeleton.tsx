import type { ReactNode } from 'react'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import page from './token-screen.module.css'

/** A placeholder for a token's page. The caller passes `header` as soon as the token's names are known. */
export function TokenSkeleton({ header }: { header?: ReactNode }) {
  // If there is a token header, it contains the page's first heading.
  const Words = header === undefined ? 'h1' : 'span'
  return (
    <div className={`grid gap-l ${page.page}`} role="status">
      <Words className="visually-hidden">Loading token</Words>
      <div className={`${page.header} stack gap-l fit`}>{header ?? <BlankHeader />}</div>
      <div className={`fit ${page.chart} on-surface round-m p-l stack gap-m fit`}>
        <Skeleton width="50%" height={34} />
        <Skeleton width="100%" height={420} />
      </div>
      <div className={`sticky round-m ${page.panel} stack gap-l fit`}>
        <div className={`on-surface round-m p-l stack gap-m ${page.sheet}`}>
          <Skeleton width="100%" height={52} />
          <Skeleton width="100%" height={62} />
          <Skeleton width="100%" height={44} />
          <Skeleton width="100%" height={150} />
          <Skeleton width="100%" height={50} />
        </div>
      </div>
      <div className={`${page.info} on-surface round-m p-l stack gap-m fit`}>
        <Skeleton width="30%" height={24} />
        <Skeleton width="90%" height={18} />
        <Skeleton width="70%" height={18} />
      </div>
    </div>
  )
}

function BlankHeader() {
  return (
    <div className="on-surface round-m p-l stack gap-m fit">
      <Skeleton width="40%" height={36} />
      <Skeleton width="24%" height={20} />
      <Skeleton width="30%" height={16} />
    </div>
  )
}
