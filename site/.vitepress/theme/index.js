import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import Search from './Search.vue';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'nav-bar-content-before': () => h(Search) }),
};
