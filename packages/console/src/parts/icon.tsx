/** The shapes of the interface, on a grid of 16, drawn with the text's colour. */
const shapes = {
  upload: 'M8 10.5v-8M4.8 5.4 8 2.2l3.2 3.2M2.5 10.5v2a1.5 1.5 0 0 0 1.5 1.5h8a1.5 1.5 0 0 0 1.5-1.5v-2',
  download: 'M8 2.2v8M4.8 7.2 8 10.4l3.2-3.2M2.5 10.5v2a1.5 1.5 0 0 0 1.5 1.5h8a1.5 1.5 0 0 0 1.5-1.5v-2',
  folder:
    'M1.8 4.3a1.5 1.5 0 0 1 1.5-1.5h2.6l1.6 1.9h5.2a1.5 1.5 0 0 1 1.5 1.5v5.5a1.5 1.5 0 0 1-1.5 1.5H3.3a1.5 1.5 0 0 1-1.5-1.5z',
  picture:
    'M3.3 2.5h9.4a1.3 1.3 0 0 1 1.3 1.3v8.4a1.3 1.3 0 0 1-1.3 1.3H3.3A1.3 1.3 0 0 1 2 12.2V3.8a1.3 1.3 0 0 1 1.3-1.3ZM2.3 11.5l3.4-3.3 2.5 2.4 1.9-1.8 3.6 3.3M10.6 6.3h.01',
  compare:
    'M8 1.8v12.4M6 3.5H3.3A1.3 1.3 0 0 0 2 4.8v6.4a1.3 1.3 0 0 0 1.3 1.3H6M10 3.5h2.7A1.3 1.3 0 0 1 14 4.8v6.4a1.3 1.3 0 0 1-1.3 1.3H10',
  close: 'm3.8 3.8 8.4 8.4M12.2 3.8l-8.4 8.4',
  retry: 'M13.3 8a5.3 5.3 0 1 1-1.7-3.9M13.5 2v2.8h-2.8',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  alert:
    'M8 5.3v3.4M8 11.2h.01M7 2.4 1.6 11.8A1.15 1.15 0 0 0 2.6 13.5h10.8a1.15 1.15 0 0 0 1-1.7L9 2.4a1.15 1.15 0 0 0-2 0Z',
  person: 'M8 8.2a2.9 2.9 0 1 0 0-5.8 2.9 2.9 0 0 0 0 5.8ZM2.7 14c.5-2.4 2.6-3.8 5.3-3.8s4.8 1.4 5.3 3.8',
  copy: 'M6.3 5.3h6a1 1 0 0 1 1 1v6.4a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1V6.3a1 1 0 0 1 1-1ZM10.7 5V3.3a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6.4a1 1 0 0 0 1 1H5',
  plus: 'M8 3v10M3 8h10',
  left: 'm9.8 3.5-4.5 4.5 4.5 4.5',
  right: 'm6.2 3.5 4.5 4.5-4.5 4.5',
  search: 'M7 11.8a4.8 4.8 0 1 0 0-9.6 4.8 4.8 0 0 0 0 9.6ZM10.5 10.5l3.3 3.3',
  options:
    'M2 4.5h6.5M12 4.5h2M2 11.5h2M7.5 11.5H14M10.2 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM5.8 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z',
  down: 'm3.5 6 4.5 4.5L12.5 6',
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      class="icon-shape"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}

export function Feather() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="currentColor"
        d="M20.6 3.4C14.9 2.3 8.4 4.6 6.1 10c-.9 2-1 4.2-.6 6.1l-2.3 2.3a1 1 0 0 0 1.4 1.4l2.3-2.3c1.9.4 4.1.3 6.1-.6 5.4-2.3 8.7-7.8 7.6-13.5ZM8.6 15.8l5.9-5.9a.9.9 0 0 0-1.3-1.3l-5.9 5.9c-.1-1.3.1-2.6.6-3.8C9.5 7 14 4.9 18.8 5.2c.3 4.8-1.8 9.3-5.5 10.9-1.2.5-2.5.7-3.8.6Z"
      />
    </svg>
  );
}
