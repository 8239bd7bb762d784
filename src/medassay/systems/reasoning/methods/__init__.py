"""The methods of reasoning over options, one file each."""
