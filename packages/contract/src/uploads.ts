import { z } from 'zod'
import { mutation } from './procedure.ts'

/** Max length of a URL in characters. Papermoon's own URLs have about 120 characters after the host name. */
const URL_MAX = 2_048

export const uploadTarget = z
  .object({
    uploadURL: z
      .string()
      .describe(
        'URL to which you can PUT one file of at most 5,242,880 bytes within ten minutes. The URL is absolute or relative to this server.',
      ),
  })
  .meta({ id: 'UploadTarget' })
export type UploadTarget = z.output<typeof uploadTarget>

export const setProfilePictureInput = z.object({
  profilePictureUrl: z
    .string()
    .min(1, 'is required')
    .max(URL_MAX, `must be at most ${URL_MAX} characters`)
    .describe('URL that the picture was uploaded to, with or without its query.'),
})

export const profilePicture = z
  .object({
    profilePictureUrl: z.string().describe('URL of the picture.'),
  })
  .meta({ id: 'ProfilePicture' })
export type ProfilePicture = z.output<typeof profilePicture>

export const uploadsProcedures = {
  create: mutation({
    limit: 'upload',
    output: uploadTarget,
    rest: 'POST /api/objects/upload',
    operationId: 'createUpload',
    address: 'uploadURL',
    summary: 'Returns a URL to which you can PUT one picture of at most 5,242,880 bytes within ten minutes.',
    errors: ['STORAGE_AWAY'],
    example: {
      response: {
        uploadURL:
          'https://papermoon.example/objects/uploads/3-0f8e2b7c4d1a49f6a1b2c3d4e5f60718?expires=1772367000&signature=Yx3',
      },
    },
  }),
  setProfilePicture: mutation({
    limit: 'upload',
    input: setProfilePictureInput,
    output: profilePicture,
    rest: 'PUT /api/users/profile-picture',
    operationId: 'setProfilePicture',
    summary: 'Sets an uploaded picture as your profile picture: PNG, JPEG, WebP, GIF or AVIF, at most 5 MB.',
    errors: ['UPLOAD_NOT_FOUND', 'NOT_YOURS', 'NOT_A_PICTURE', 'STORAGE_AWAY', 'BUSY'],
    example: {
      input: { profilePictureUrl: 'https://papermoon.example/objects/uploads/3-0f8e2b7c4d1a49f6a1b2c3d4e5f60718' },
      response: {
        profilePictureUrl: '/objects/pictures/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.webp',
      },
    },
  }),
}
