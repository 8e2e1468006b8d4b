import { z } from 'zod'

/** Our URLs have about 120 characters and the host’s name. */
const URL_MAX = 2_048

export const uploadTarget = z
  .object({
    uploadURL: z
      .string()
      .describe(
        'Takes one PUT of the file, at most 5,242,880 bytes, for ten minutes. Relative to this server, or absolute.',
      ),
  })
  .meta({ id: 'UploadTarget' })
export type UploadTarget = z.output<typeof uploadTarget>

export const setProfilePictureInput = z.object({
  profilePictureUrl: z
    .string()
    .min(1, 'is required')
    .max(URL_MAX, `must be at most ${URL_MAX} characters`)
    .describe('The address the picture was uploaded to, with or without its query.'),
})

export const profilePicture = z
  .object({
    profilePictureUrl: z.string().describe('Where the picture is served.'),
  })
  .meta({ id: 'ProfilePicture' })
export type ProfilePicture = z.output<typeof profilePicture>
