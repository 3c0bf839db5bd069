/** visualizations 2.8: the named colours of stored options and their editors. */
export const namedColors = {
  Blue: '#356AFF',
  Red: '#E92828',
  Green: '#3BD973',
  Purple: '#604FE9',
  Cyan: '#50F5ED',
  Orange: '#FB8D3D',
  'Light Blue': '#799CFF',
  Lilac: '#B554FF',
  'Light Green': '#8CFFB4',
  Brown: '#A55F2A',
  Black: '#000000',
  Gray: '#494949',
  Pink: '#FF7DE3',
  'Dark Blue': '#002FB4',
  'Indian Red': '#981717',
  'Green 2': '#17BF51',
  'Green 3': '#049235',
  'Dark Turquoise': '#00B6EB',
  'Dark Violet': '#A58AFF',
  'Pink 2': '#C63FA9',
} as const;

const list = (text: string): readonly string[] => text.split(' ').map((digits) => `#${digits}`);

export const viridis = list(
  '440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 84d44b addc30 d8e219 fde725',
);
export const tableau10 = list('4e79a7 f28e2c e15759 76b7b2 59a14f edc949 af7aa1 ff9da7 9c755f bab0ab');
export const category10 = list('1f77b4 ff7f0e 2ca02c d62728 9467bd 8c564b e377c2 7f7f7f bcbd22 17becf');
export const category20 = list(
  '1f77b4 aec7e8 ff7f0e ffbb78 2ca02c 98df8a d62728 ff9896 9467bd c5b0d5 8c564b c49c94 e377c2 f7b6d2 7f7f7f c7c7c7 bcbd22 dbdb8d 17becf 9edae5',
);
