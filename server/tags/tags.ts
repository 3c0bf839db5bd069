/** Tags are columns of other rooms' tables; this room has the statements that all of them share. */
export { countTags, hasTags } from './tags.store.ts';
