await sdk.test.wait({})
return 'it ended'
