package memnet
