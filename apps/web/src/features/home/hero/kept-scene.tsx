import { lazy, Suspense, useLayoutEffect, useRef } from 'react'
import { lazyImport } from '../../../lib/boot/lazy-import.ts'
// Keeps the styles with those of the first view.
import './hero-scene.module.css'

const LazyScene = lazy(() => lazyImport(() => import('./hero-scene.tsx')).then((it) => ({ default: it.HeroScene })))

/** The picture that the first view has drawn; null where the page began with another screen. */
const drawn = document.querySelector('#root > [inert] [data-scene]')

/** The banner's picture: that of the first view, so that its paths are not loaded twice. */
export function KeptScene() {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (drawn !== null) place.current?.append(drawn)
  }, [])
  if (drawn !== null) return <div ref={place} aria-hidden="true" />
  return (
    <Suspense>
      <LazyScene />
    </Suspense>
  )
}
