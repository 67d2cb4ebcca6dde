void lifecycle_placeholder(void){}
