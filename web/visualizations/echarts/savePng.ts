import type { EChartsType } from 'echarts/core';

const pixelRatio = 2;

/** Saves a sharp picture on an opaque background as a file. */
export async function savePng(chart: EChartsType, fileName: string, ground: string): Promise<void> {
  await saveCanvas(chart.renderToCanvas({ pixelRatio, backgroundColor: ground }), fileName);
}

export async function saveCanvas(canvas: HTMLCanvasElement, fileName: string): Promise<void> {
  const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!picture) throw new Error('The picture could not be saved.');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(picture);
  link.download = pngName(fileName);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A file name without characters that file systems refuse. */
export function pngName(name: string): string {
  const plain = name
    .replace(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|\s+$/g, '')
    .slice(0, 100);
  return `${plain || 'picture'}.png`;
}
