export { quickest, untilFound as until } from '../../../server/testing/until.ts';
