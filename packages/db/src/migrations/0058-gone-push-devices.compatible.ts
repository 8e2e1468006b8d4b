/** A device that its push service no longer takes messages for is kept, so that its browser cannot add it again. */
export const statements = ['alter table push_devices add column gone_at timestamptz(3)']
