import { randomFillSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { text, toolUse } from '@x/model-anthropic/testing'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { collect, Scripted, toolResultsOf } from './scripted.ts'

/** A picture of noise: it hardly compresses. */
function noise(width: number, height: number): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const
  return sharp(randomFillSync(Buffer.alloc(width * height * 3)), { raw })
    .png()
    .toBuffer()
}

it('a 2 MB screenshot reaches the model as one picture below the limit (tools.md 14)', async () => {
  await using scripted = await Scripted.start([
    [toolUse('Read', { file_path: 'shot.png' })],
    [text('I see.')],
  ])
  const picture = await noise(900, 800)
  expect(picture.length).toBeGreaterThan(2_000_000)
  writeFileSync(scripted.path('shot.png'), picture)
  const [result] = toolResultsOf(await collect(scripted.ask('Look')))
  expect(result?.content).toMatchObject([
    { type: 'image', source: { type: 'base64', media_type: 'image/jpeg' } },
  ])
  const [image] = Array.isArray(result?.content) ? result.content : []
  const data = image?.type === 'image' && image.source.type === 'base64' ? image.source.data : ''
  expect(Buffer.from(data, 'base64').length).toBeLessThanOrEqual(500_000)
})

it('a picture with too many pixels is made smaller', async () => {
  await using scripted = await Scripted.start([
    [toolUse('Read', { file_path: 'wide.png' })],
    [text('I see.')],
  ])
  const blank = { width: 9_000, height: 20, channels: 3, background: '#336699' } as const
  writeFileSync(scripted.path('wide.png'), await sharp({ create: blank }).png().toBuffer())
  const [result] = toolResultsOf(await collect(scripted.ask('Look')))
  const [image] = Array.isArray(result?.content) ? result.content : []
  const data = image?.type === 'image' && image.source.type === 'base64' ? image.source.data : ''
  expect((await sharp(Buffer.from(data, 'base64')).metadata()).width).toBe(2_000)
})
