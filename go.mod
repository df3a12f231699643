module github.com/faustine-ai/countersign

go 1.26.0
