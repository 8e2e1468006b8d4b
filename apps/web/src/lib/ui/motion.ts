/** The motions that start by themselves, each with a switch under Settings → Sound and motion. */
export type Motion = 'stars' | 'tape' | 'shake' | 'flash' | 'stagger'

/**
 * Returns whether a motion may play. A motion may not play if the device asks for reduced motion, or if the player
 * disabled that motion. Call this function when the motion begins. Style sheets use `:root[data-still~="tape"]`, and
 * base.css stops all motion if the player wants that.
 */
export function mayMove(motion: Motion): boolean {
  const still = document.documentElement.dataset.still?.split(' ') ?? []
  return !(matchMedia('(prefers-reduced-motion: reduce)').matches || still.includes('all') || still.includes(motion))
}
