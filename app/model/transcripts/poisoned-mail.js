const letters = []
for (const { id } of await sdk.mail.list({ unread: true })) letters.push(await sdk.mail.read({ id }))
return { letters }
