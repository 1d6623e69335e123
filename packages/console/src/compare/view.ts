import { computed, signal } from '@preact/signals';
import { isLarger, type Point, placed, type Size, scaled, scaleOf, type Zoom, zoomedAbout } from './geometry.ts';

/** How the two pictures are looked at: kept from file to file, so that the same spot of the next one is seen. */
export class CompareView {
  readonly stage = signal<Size>({ width: 1, height: 1 });
  readonly picture = signal<Size>({ width: 1, height: 1 });
  readonly zoom = signal<Zoom>('fit');
  /** Share of the stage that shows the original. */
  readonly divider = signal(0.5);
  readonly difference = signal(false);
  /** Only the original, while a key or a finger holds it. */
  readonly blink = signal(false);
  readonly #wish = signal<Point>({ x: 0, y: 0 });

  readonly scale = computed(() => scaleOf(this.zoom.value, this.picture.value, this.stage.value, devicePixelRatio));
  readonly shown = computed(() => scaled(this.picture.value, this.scale.value));
  readonly corner = computed(() => placed(this.#wish.value, this.shown.value, this.stage.value));
  readonly pannable = computed(() => isLarger(this.shown.value, this.stage.value));

  pan(dx: number, dy: number): void {
    const { x, y } = this.corner.value;
    this.#wish.value = { x: x + dx, y: y + dy };
  }

  /** @param anchor what stays in its place; the stage's centre when absent */
  setZoom(zoom: Zoom, anchor?: Point): void {
    const { width, height } = this.stage.value;
    const about = anchor ?? { x: width / 2, y: height / 2 };
    const before = this.scale.value;
    const corner = this.corner.value;
    this.zoom.value = zoom;
    this.#wish.value = zoomedAbout(about, corner, before, this.scale.value);
  }

  /** @param x from the stage's left side */
  divideAt(x: number): void {
    this.divider.value = Math.min(1, Math.max(0, x / this.stage.value.width));
  }
}
