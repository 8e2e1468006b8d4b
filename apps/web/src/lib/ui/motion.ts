/** Things that move by themselves; each has a switch under Settings → Sound and motion. */
export type Motion = 'stars' | 'tape' | 'shake' | 'flash' | 'stagger'

/**
 * Whether a motion may play: neither the device asks for reduced motion nor did the player switch it off. Call it when
 * the motion begins. Style sheets use `:root[data-still~="tape"]`; base.css stops everything where the player wants that.
 */
export function mayMove(motion: Motion): boolean {
  const still = document.documentElement.dataset.still?.split(' ') ?? []
  return !(matchMedia('(prefers-reduced-motion: reduce)').matches || still.includes('all') || still.includes(motion))
}
